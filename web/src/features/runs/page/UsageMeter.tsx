import classes from "../run.module.css";

interface UsageMeterProps {
  name: string;
  used: number;
  /** 0: no limit, so no bar. */
  most: number;
  words: string;
  of: string;
}

const WARN = 0.8;

/** How much of a limit is used. */
export function UsageMeter({ name, used, most, words, of }: UsageMeterProps) {
  const share = most > 0 ? Math.min(used / most, 1) : 0;
  return (
    <div className={classes.meter} data-full={share >= WARN || undefined}>
      <dt>{name}</dt>
      <dd className="num">
        <strong>{words}</strong> {of}
        {most > 0 && (
          <span className={classes.bar} aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}
