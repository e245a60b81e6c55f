import { Modal } from "@mantine/core";
import classes from "./shell.module.css";

const KEYS: { about: string; keys: [string, string][] }[] = [
  {
    about: "Everywhere",
    keys: [
      ["Ctrl K", "Go to, start, find"],
      ["G then I", "Inbox"],
      ["Z", "Undo the last decision"],
      ["?", "Show this help"],
    ],
  },
  {
    about: "Inbox",
    keys: [
      ["J", "Next ask"],
      ["K", "Previous ask"],
      ["Enter", "Open the ask"],
      ["X", "Select"],
      ["V", "Next view: open, waiting, decided"],
      ["T", "Group similar asks (on or off)"],
      ["/", "Search"],
    ],
  },
  {
    about: "A group",
    keys: [
      ["J K", "Next or previous row"],
      ["X", "Leave a row out, go to the next"],
      ["1 – 9", "Sort by a column"],
      ["A", "Approve the rest"],
      ["D", "Deny the rest"],
      ["N P", "Next or previous group"],
    ],
  },
  {
    about: "An ask",
    keys: [
      ["A", "Approve"],
      ["E", "Edit, then approve"],
      ["D", "Deny"],
      ["Ctrl Enter", "Send what you wrote"],
      ["Esc", "Back"],
    ],
  },
];

export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <div className={classes.help}>
        {KEYS.map(({ about, keys }) => (
          <section key={about}>
            <h2>{about}</h2>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
