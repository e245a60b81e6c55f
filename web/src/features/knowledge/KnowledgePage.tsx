import { TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { LoadMore } from "@/ui/list/LoadMore";
import { useTypedFilter } from "@/ui/list/useTypedFilter";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { DocumentRow } from "./DocumentRow";
import { DropArea } from "./DropArea";
import { UploadButton } from "./UploadButton";
import { UploadList } from "./UploadList";
import { useDocumentUploads } from "./useDocumentUploads";

const DocumentView = lazy(() => import("./DocumentView"));

export interface KnowledgeSearch {
  q?: string;
  /** The document that is open. */
  view?: string;
}

/** The documents that agents search: what is there, what is in it, and more to add. */
export function KnowledgePage({ search }: { search: KnowledgeSearch }) {
  const navigate = useNavigate();
  const admin = useMay("admin");
  const { uploads, add, clear, busy } = useDocumentUploads();
  const { q, view } = search;
  const list = useDocuments(q);
  const documents = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const go = (change: KnowledgeSearch) => navigate({ to: "/knowledge", search: { q, view, ...change }, replace: true });
  return (
    <DropArea enabled={admin} onFiles={add}>
      <div className={page.page}>
        <header className={page.head}>
          <h1>Knowledge</h1>
          {admin && <UploadButton onFiles={add} />}
        </header>
        <p className={page.lead}>
          Documents that agents search with the tool <code>search_knowledge</code>.{" "}
          {!admin && needsWords("admin", "add documents")}
        </p>
        <UploadList uploads={uploads} busy={busy} onClear={clear} />
        <Search q={q} onChange={(words) => go({ q: words })} />
        <div className={`card ${page.list}`}>
          {list.isPending && <Loading lines={5} />}
          {list.isError && (
            <Failed what="Couldn't load the documents" error={list.error} retry={() => list.refetch()} />
          )}
          {list.isSuccess && documents.length === 0 && (q ? <NoMatch /> : <Nothing admin={admin} />)}
          {documents.length > 0 && (
            <ul className={page.list} aria-label="Documents" style={{ margin: 0, padding: 0, listStyle: "none" }}>
              {documents.map((document) => (
                <DocumentRow
                  key={document.id}
                  document={document}
                  may={admin}
                  onOpen={() => navigate({ to: "/knowledge", search: { q, view: document.id } })}
                />
              ))}
            </ul>
          )}
        </div>
        <LoadMore list={list} />
        {view && (
          <Suspense>
            <DocumentView id={view} onClose={() => go({ view: undefined })} />
          </Suspense>
        )}
      </div>
    </DropArea>
  );
}

function useDocuments(q: string | undefined) {
  return api.useInfiniteQuery(
    "get",
    "/api/documents",
    { params: { query: { q, limit: 50 } } },
    {
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor,
      pageParamName: "cursor",
      placeholderData: keepPreviousData,
    },
  );
}

function Search({ q, onChange }: { q?: string; onChange: (words: string | undefined) => void }) {
  const [words, setWords] = useTypedFilter(q, onChange);
  return (
    <search className={page.filters}>
      <TextInput
        className={page.search}
        aria-label="Search documents"
        placeholder="Search documents"
        leftSection={<Icon name="search" size={15} />}
        maxLength={1000}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
    </search>
  );
}

function NoMatch() {
  return (
    <Empty icon="search" title="No matches">
      No document has these words. Try fewer or other words.
    </Empty>
  );
}

function Nothing({ admin }: { admin: boolean }) {
  return (
    <Empty icon="library" title="No documents yet">
      {admin
        ? "Drop Markdown, text, HTML, PDF or Word files here, or use the button. Agents then find what is in them."
        : "When an admin adds documents, agents find what is in them, and so can you."}
    </Empty>
  );
}
