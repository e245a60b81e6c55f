export interface Sheet {
  head: string[];
  rows: string[][];
  /** How many rows there are in all. */
  total: number;
}

const MOST_ROWS = 500;

/** A table from comma-, semicolon- or tab-separated text: quotes may hold separators, line ends and doubled quotes. */
export function readCsv(text: string): Sheet {
  const records = recordsOf(text, separatorOf(text));
  const [head = [], ...rows] = records.filter((record) => record.length > 1 || record[0] !== "");
  return { head, rows: rows.slice(0, MOST_ROWS), total: rows.length };
}

function separatorOf(text: string): string {
  const first = text.split(/\r?\n/, 1)[0] ?? "";
  const count = (separator: string) => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function recordsOf(text: string, separator: string): string[][] {
  const records: string[][] = [[]];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    records.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === '"' && text[at + 1] === '"') cell += text[at++];
      else if (letter === '"') quoted = false;
      else cell += letter;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator) endCell();
    else if (letter === "\n") {
      endCell();
      records.push([]);
    } else if (letter !== "\r") cell += letter;
  }
  endCell();
  return records;
}

/** Figures stand to the right. */
export const isFigure = (cell: string): boolean => /^-?[\d.,\s]*\d\s*[%€$£]?$/.test(cell);
