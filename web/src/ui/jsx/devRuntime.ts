/** In place of `react/jsx-dev-runtime`. */
import * as own from "react-own/jsx-dev-runtime";
import { guarded } from "./guard";

export const Fragment = own.Fragment;
export const jsxDEV: typeof own.jsxDEV = (type, props, ...rest) =>
  own.jsxDEV(type, guarded(type, props as Record<string, unknown>), ...rest);
