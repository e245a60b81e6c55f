"""Files go to a run, lie in its folder, and come back as deliverables."""

import base64

import pytest
from playwright.sync_api import Page, expect

from signoff.kit.ids import new_id
from tests.e2e.axe import check_light_and_dark
from tests.e2e.scripted import Scripted, question
from tests.wire import call, says

TABLE = "city,people\nBern,134000\nZug,31000\n"
# What a browser does when somebody drops a file.
DROP = """([place, name, text]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name));
  for (const type of ["dragover", "drop"])
    place.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def drop(page: Page, region: str, name: str, text: str) -> None:
    place = page.get_by_role("region", name=region).get_by_role("button", name="Add files").element_handle()
    page.evaluate(DROP, [place, name, base64.b64encode(text.encode()).decode()])


def test_a_dropped_file_is_in_the_folder_and_comes_back_as_a_deliverable(page: Page, scripted: Scripted) -> None:
    slug = f"filer-{new_id()}"
    model = scripted.model.script(
        slug,
        says("", call("create_deliverable", {"name": "cities.csv", "path": "input/cities.csv"})),
        says("", question("Anything else?", "text")),
    )
    scripted.post("/api/agents", {"slug": slug, "name": slug, "model": model, "tools": ["read_file"]})
    page.goto("/runs")
    page.get_by_role("button", name="Start a run").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=slug).click()
    drop(page, "Files for the run", "cities.csv", TABLE)
    drop(page, "Files for the run", "wrong.txt", "no")
    dialog.get_by_role("button", name="Remove wrong.txt").click()
    expect(dialog.get_by_text("cities.csv")).to_be_visible()
    dialog.get_by_label("Task").fill("Count the people")
    dialog.get_by_role("button", name="Start", exact=True).click()
    # It asks, so that it has not ended when more files come.
    expect(page.get_by_role("dialog").get_by_text("Anything else?").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    files = page.get_by_role("region", name="Files")
    files.get_by_role("button", name="input/cities.csv").click()
    viewed = page.get_by_role("dialog")
    expect(viewed.get_by_role("cell", name="134000")).to_be_visible()
    expect(viewed.get_by_role("link", name="Download")).to_be_visible()
    page.keyboard.press("Escape")
    drop(page, "Files", "notes.md", "# Later")
    expect(files.get_by_role("button", name="input/notes.md")).to_be_visible()
    expect(files.get_by_text("used")).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("region", name="Deliverables").get_by_role("button", name="cities.csv").click()
    expect(page.get_by_role("dialog").get_by_role("cell", name="Bern")).to_be_visible()


@pytest.mark.slow
def test_on_a_phone_the_files_are_one_tap_away(phone: Page, scripted: Scripted) -> None:
    run = scripted.start(says("", question("Anything else?", "text")))
    sent = {"files": ("notes.md", b"# Later", "text/markdown")}
    assert scripted.client.post(f"/api/runs/{run}/files", files=sent).is_success
    scripted.ask(run)
    phone.goto(f"/runs/{run}")
    phone.get_by_text("Files", exact=True).first.tap()
    expect(phone.get_by_role("region", name="Files").get_by_role("button", name="input/notes.md")).to_be_visible()
    expect(phone.get_by_role("region", name="Deliverables")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
