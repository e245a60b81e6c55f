import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import { LoadMore } from "@/ui/list/LoadMore";
import { Failed, Loading } from "@/ui/States";
import classes from "./knowledge.module.css";

/** A document as agents read it: its text, passage by passage. */
export default function DocumentView({ id, onClose }: { id: string; onClose: () => void }) {
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const path = { document_id: id };
  const document = api.useQuery("get", "/api/documents/{document_id}", { params: { path } });
  const list = api.useInfiniteQuery(
    "get",
    "/api/documents/{document_id}/passages",
    { params: { path, query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  const passages = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      size="60rem"
      fullScreen={phone}
      title={document.data?.name ?? "Document"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {list.isPending && <Loading lines={5} />}
      {list.isError && (
        <Failed
          what="Couldn't open this document"
          error={list.error}
          retry={isProblem(list.error, 404) ? undefined : () => list.refetch()}
        />
      )}
      {passages.map(({ position, where, text }) => (
        <section key={position} className={classes.passage} aria-label={where || `Passage ${position}`}>
          <h3 className="small dim">{where || `Passage ${position}`}</h3>
          <div className={classes.text}>{text}</div>
        </section>
      ))}
      <LoadMore list={list} />
    </Modal>
  );
}
