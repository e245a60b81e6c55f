import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** The colour of a signature that counts: the one accent of the app. */
const pine: MantineColorsTuple = [
  "#e9f7f2",
  "#d3ece4",
  "#a5d9c8",
  "#74c5ab",
  "#4db492",
  "#33a983",
  "#1d8f6c",
  "#0b7457",
  "#086049",
  "#03483a",
];

const gray: MantineColorsTuple = [
  "#f8f9f9",
  "#f1f3f3",
  "#e6e9e9",
  "#d8dcdd",
  "#b9c0c2",
  "#8d9699",
  "#636d71",
  "#485155",
  "#2c3336",
  "#181d1f",
];

const dark: MantineColorsTuple = [
  "#dbe0e1",
  "#bcc4c6",
  "#98a2a5",
  "#7c878b",
  "#444d51",
  "#333b3e",
  "#252b2e",
  "#1b2022",
  "#141819",
  "#0e1112",
];

export const theme = createTheme({
  primaryColor: "pine",
  primaryShade: { light: 7, dark: 7 },
  colors: { pine, gray, dark },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: "620" },
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  components: {
    Button: { defaultProps: { size: "sm" }, styles: { label: { fontWeight: 550 } } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
    Progress: { defaultProps: { color: "var(--accent)" } },
    Avatar: { styles: { placeholder: { background: "var(--accent-soft)", color: "var(--accent-ink)" } } },
    CloseButton: { defaultProps: { "aria-label": "Close" } },
    InputWrapper: { styles: { label: { marginBottom: 3 }, description: { fontSize: "0.75rem" } } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4, blur: 2 } },
      styles: {
        title: { fontWeight: 620, fontSize: "1rem" },
        header: { background: "var(--surface)" },
        content: { background: "var(--surface)", border: "1px solid var(--line-strong)" },
      },
    },
  },
});
