/** React's own, under a name that our build does not replace. */
declare module "react-own/jsx-runtime" {
  export { Fragment, type JSX, jsx, jsxs } from "react/jsx-runtime";
}
declare module "react-own/jsx-dev-runtime" {
  export { Fragment, type JSX, jsxDEV } from "react/jsx-dev-runtime";
}
