import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import type { Rules } from "./editor/rulesDraft";

/** The rules are read from a file: that is the place to change them. */
export function RulesFileBanner({ rules }: { rules: Rules }) {
  if (!rules.file) return null;
  const problems = rules.file_problems ?? [];
  return (
    <div className={page.banner} data-tone={problems.length > 0 ? "warn" : undefined} role="status">
      <Icon name={problems.length > 0 ? "triangle-alert" : "file-text"} size={18} />
      <div className="grow">
        <strong>
          These rules come from the file <code>{rules.file}</code>. Change them there.
        </strong>
        {problems.length > 0 && (
          <>
            <div className="small">The file has errors, so the last valid version stays in use.</div>
            <ul className="small" style={{ margin: "0.3rem 0 0", paddingLeft: "1.2rem" }}>
              {problems.map(({ line, column, message }) => (
                <li key={`${line}:${column}:${message}`}>
                  Line {line}, column {column}: {message}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
