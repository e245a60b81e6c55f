"""Files as people upload them, and as somebody makes them who means harm."""

import io
import zipfile
from collections.abc import Sequence

import docx

# Marked as encrypted by the standard handler, with keys that fit no empty password.
ENCRYPT = f"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <{'28' * 32}> /U <{'41' * 32}> >>"


def pdf(pages: Sequence[str], *, encrypted: bool = False) -> bytes:
    """A PDF whose pages have one line each."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 40 700 Td ({text}) Tj ET"
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {fonts} /Contents {5 + 2 * at} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    if encrypted:
        objects.append(ENCRYPT)
    written, places = "%PDF-1.4\n", list[int]()
    for number, each in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    keys = f"/Encrypt {len(objects)} 0 R /ID [<{'ab' * 16}> <{'ab' * 16}>]" if encrypted else ""
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {keys} >>\nstartxref\n{len(written)}\n%%EOF\n"
    return f"{written}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1")


def word(paragraphs: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]] = ()) -> bytes:
    """A DOCX of paragraphs with their styles, and a table."""
    document = docx.Document()
    for style, text in paragraphs:
        document.add_paragraph(text, style=style or None)
    if rows:
        table = document.add_table(len(rows), len(rows[0]))
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = text
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def bomb(megabytes: int) -> bytes:
    """A DOCX that is small and becomes large."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            for _ in range(megabytes):
                part.write(b" " * 1024**2)
    return kept.getvalue()
