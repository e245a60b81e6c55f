/** The parts of the rules page, in the order of the tabs. */
export const TABS = {
  rules: "Rules",
  suggestions: "Suggestions",
  history: "History",
  figures: "Figures",
  allowances: "Allowances",
  lessons: "Lessons",
};

export type RulesTab = keyof typeof TABS;
export const isTab = (tab: unknown): tab is RulesTab => typeof tab === "string" && tab in TABS;
