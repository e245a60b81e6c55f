import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "@/ui/icons";
import { Count } from "./NavLinks";
import classes from "./shell.module.css";

/** On a phone, where the page of notices stands behind "More". */
export function NoticeBell({ unread }: { unread: number }) {
  return (
    <Link to="/notices" className={classes.bell}>
      <Icon name="bell" size={18} />
      <VisuallyHidden>Notices</VisuallyHidden>
      <Count of={unread} word="unread" />
    </Link>
  );
}
