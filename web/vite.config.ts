/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const place = (path: string): string => new URL(path, import.meta.url).pathname.replace("%241", "$1");
const api = "http://127.0.0.1:8400";

// What the first page needs of Mantine and of our own parts. Lists, since what is merely shared by many pages is not
// needed by all of them: the inbox should open fast.
const FIRST_PARTS =
  "ActionIcon|Avatar|Box|Button|Checkbox|CloseButton|Flex|Group|InlineInput|Input|InputBase|Loader|NativeSelect|Paper|Portal|Progress|Radio|Skeleton|TextInput|Textarea|Transition|UnstyledButton|VisuallyHidden";
const FIRST = new RegExp(
  `@mantine/core/.*/(core|components/(${FIRST_PARTS})|ComboboxChevron|get-parsed-combobox-data)/|` +
    "@mantine/hooks/|/src/api/(?!push[.])|/src/ui/(Logo|States|Tag|domain/RiskTag|icons|jsx/guard|jsx/runtime|overlay/(DropdownButton|toast|useOverlay|useShortcutKeys)|text/(LongText|Prose|ShowMore|VisibleText|deceptiveText|lineDiff|useMarkdown)|time/(clock|duration)|values/(Values|valueFormat))[.]",
);
const OVERLAYS =
  /@floating-ui|react-remove-scroll|@mantine\/core\/.*\/(Menu|Popover|ScrollArea|Modal|ModalBase|Overlay|Combobox)\/|\/ui\/overlay\/DropdownMenu\./;
// markdown-it brings them for what it does not do here.
const LEFT_OUT = /^(entities|linkify-it|mdurl|punycode[.]js|uc[.]micro)$/;

export default defineConfig({
  plugins: [react()],
  resolve: {
    tsconfigPaths: true,
    alias: [
      // It makes code at run time, which the CSP forbids; ours does not.
      { find: "@rjsf/validator-ajv8", replacement: place("src/ui/editor/formValidator.ts") },
      { find: LEFT_OUT, replacement: place("src/ui/text/markdownItStubs.ts") },
      // Every text that is shown passes one guard, also those that libraries show.
      { find: /^react\/jsx-runtime$/, replacement: place("src/ui/jsx/runtime.ts") },
      { find: /^react\/jsx-dev-runtime$/, replacement: place("src/ui/jsx/devRuntime.ts") },
      { find: /^react-own\/(.*)$/, replacement: place("node_modules/react/$1.js") },
    ],
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs comes in three files, not in thirty; what opens over a page comes with the first that does.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|@tanstack\/[\w-]+|openapi-[\w-]+)\// },
            { name: "shared", priority: 2, test: FIRST },
            { name: "overlays", priority: 1, test: OVERLAYS },
          ],
        },
      },
    },
  },
  // It is tested as it is built.
  // Two at a time also where there are two cores.
  // Files share a worker, and each takes our modules anew: what one of them replaced would stay so for the next.
  test: { maxWorkers: 2, isolate: false, setupFiles: "freshModules.ts", server: { deps: { inline: ["markdown-it"] } } },
  // The server sees the page's own Host, or its Origin would be a foreign one.
  server: { proxy: { "/api": { target: api }, "/openapi.json": { target: api } } },
});
