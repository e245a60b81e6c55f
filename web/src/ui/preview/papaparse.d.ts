/** As much of it as we use: its own types bring those of Node into a page. */
declare module "papaparse" {
  interface Options {
    delimitersToGuess: string[];
    skipEmptyLines: boolean;
  }
  const Papa: { parse<Row>(text: string, options: Options): { data: Row[] } };
  export default Papa;
}
