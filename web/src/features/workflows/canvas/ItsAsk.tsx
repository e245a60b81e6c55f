import { Link } from "@tanstack/react-router";
import classes from "../workflows.module.css";

/** What the step's own run, or one below that, asks. */
export function ItsAsk({ askId }: { askId: string }) {
  return (
    <Link to="/asks/$askId" params={{ askId }} className={`small ${classes.stepLink}`}>
      Answer what it asks
    </Link>
  );
}
