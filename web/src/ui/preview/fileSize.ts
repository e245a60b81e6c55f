const UNITS = ["KB", "MB", "GB"];

/** As people say it; what is whole has no digits behind the point. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power - 1]}`;
}
