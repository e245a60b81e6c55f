import type { QueryKey } from "@tanstack/react-query";
import type { paths } from "./schema";

/** The beginning of the key that openapi-react-query gives to a query: of all about a path, or about one thing there. */
export const keyOf = (path: keyof paths, named?: Record<string, string>): QueryKey =>
  named ? ["get", path, { params: { path: named } }] : ["get", path];
