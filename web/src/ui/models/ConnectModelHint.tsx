import { Link } from "@tanstack/react-router";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { useProviders } from "./ModelWarning";
import { hasOnlyDemo } from "./modelKeys";

/** As long as only the demo can be used: the way to a real model. */
export function ConnectModelHint() {
  const { data } = useProviders();
  if (!data?.works_here || !hasOnlyDemo(data.items)) return null;
  return (
    <div className={page.banner} style={{ marginBottom: 0, textAlign: "left" }}>
      <Icon name="flask-conical" />
      <span style={{ flex: "1 1 14rem" }}>Only the demo model is connected: a script, not an AI.</span>
      <Link to="/settings" search={{ section: "models" }}>
        Connect a model
      </Link>
    </div>
  );
}
