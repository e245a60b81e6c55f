import Papa from "papaparse";

export interface Sheet {
  head: string[];
  rows: string[][];
  /** How many rows and columns were found. */
  total: number;
  columns: number;
  /** Whether the text was read to its end. */
  whole: boolean;
}

const MOST_ROWS = 500;
const MOST_COLUMNS = 100;
// Quotes in the wrong places take steps by the square of the length.
const MOST_LETTERS = 250_000;
const SEPARATORS = [",", ";", "\t", "|"];

/** The first part of a table of comma-, semicolon-, tab- or bar-separated text. */
export function readCsv(text: string): Sheet {
  const whole = text.length <= MOST_LETTERS;
  const { data } = Papa.parse<string[]>(text.slice(0, MOST_LETTERS), {
    delimitersToGuess: SEPARATORS,
    skipEmptyLines: true,
  });
  // The row at which the reading stopped may be half a row.
  const [head = [], ...rows] = whole || data.length < 2 ? data : data.slice(0, -1);
  return {
    head: head.slice(0, MOST_COLUMNS),
    rows: rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS)),
    total: rows.length,
    columns: data.reduce((most, row) => Math.max(most, row.length), 0),
    whole,
  };
}

/** How much of the table is there to see. */
export function extent({ head, rows, total, columns, whole }: Sheet): string {
  const all = whole ? total.toLocaleString("en") : `more than ${total.toLocaleString("en")}`;
  const wide = columns > MOST_COLUMNS && `${head.length} of ${columns.toLocaleString("en")} columns`;
  const long = (rows.length < total || !whole) && `${rows.length} of ${all} rows`;
  const parts = [long, wide].filter(Boolean);
  return parts.length === 0 ? `${all} rows` : `The first ${parts.join(" and ")}. Download it to see the rest.`;
}

/** Figures stand to the right. */
export const isFigure = (cell: string): boolean => /^-?[\d.,\s]*\d\s*[%€$£]?$/.test(cell);
