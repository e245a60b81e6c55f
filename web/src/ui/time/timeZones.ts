/** Where this browser is. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** All zones that the browser knows, and the one that is chosen. */
export const timeZones = (chosen: string): string[] =>
  [...new Set([...Intl.supportedValuesOf("timeZone"), zoneHere(), "UTC", chosen])].sort();
