import { Modal } from "@mantine/core";
import { api } from "@/api/client";
import { Empty, Failed, Loading } from "@/ui/States";
import { StartRunForm } from "./StartRunForm";

interface StartRunDialogProps {
  /** The slug of the agent to begin with. */
  agent: string;
  onClose: () => void;
}

/** Choose an agent, say what to do, and go to the new run. */
export default function StartRunDialog({ agent, onClose }: StartRunDialogProps) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const usable = agents.data?.items.filter(({ status }) => status !== "deprecated") ?? [];
  return (
    <Modal opened onClose={onClose} title="Start a run" size="46rem" closeButtonProps={{ "aria-label": "Close" }}>
      {agents.isPending && <Loading lines={3} />}
      {agents.isError && <Failed what="Couldn't load the agents" error={agents.error} retry={() => agents.refetch()} />}
      {agents.isSuccess && usable.length === 0 && (
        <Empty icon="bot" title="There is no agent yet">
          An admin can create one on the Agents page, or add a file to the agents folder.
        </Empty>
      )}
      {usable.length > 0 && <StartRunForm agents={usable} first={agent} />}
    </Modal>
  );
}
