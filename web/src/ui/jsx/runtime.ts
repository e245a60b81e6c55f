/** In place of `react/jsx-runtime`, for the app and for the libraries in it: see `guard.ts`. */
import * as own from "react-own/jsx-runtime";
import { guarded } from "./guard";

export const Fragment = own.Fragment;
export const jsx: typeof own.jsx = (type, props, key) =>
  own.jsx(type, guarded(type, props as Record<string, unknown>), key);
export const jsxs: typeof own.jsxs = (type, props, key) =>
  own.jsxs(type, guarded(type, props as Record<string, unknown>), key);
