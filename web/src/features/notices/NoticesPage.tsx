import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { Notice } from "@/api/types";
import { Icon } from "@/ui/icons";
import { LoadMore } from "@/ui/list/LoadMore";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tabs } from "@/ui/Tabs";
import { useServerNow } from "@/ui/time/clock";
import { NoticeRow } from "./NoticeRow";
import { daysOf } from "./noticeDays";
import classes from "./notices.module.css";
import { useReadNotices } from "./useReadNotices";

interface NoticesPageProps {
  unread: boolean;
  /** A simple question with its buttons; nothing where there is more to read first. */
  question: (askId: string, onAnswered: () => void) => ReactNode;
}

/** What was sent to you: messages of agents, what you are asked, how your runs ended. */
export function NoticesPage({ unread, question }: NoticesPageProps) {
  const list = useNotices(unread);
  const notices = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { read, readAll, pending } = useReadNotices();
  const count = api.useQuery("get", "/api/notifications/count", {}).data?.unread ?? 0;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Notices</h1>
        <Button
          variant="default"
          leftSection={<Icon name="check" size={14} />}
          disabled={count === 0}
          loading={pending}
          onClick={readAll}
        >
          Mark all as read
        </Button>
      </header>
      <Tabs label="Which notices" shown={unread ? "unread" : "all"}>
        <Link to="/notices" activeOptions={{ includeSearch: true, explicitUndefined: true }} search={{}}>
          All
        </Link>
        <Link to="/notices" activeOptions={{ includeSearch: true }} search={{ show: "unread" }}>
          Unread
        </Link>
      </Tabs>
      {list.isPending && <Loading lines={5} height={58} />}
      {list.isError && notices.length === 0 && (
        <Failed what="Couldn't load the notices" error={list.error} retry={() => list.refetch()} />
      )}
      {list.isSuccess && notices.length === 0 && (
        <div className="card">
          <Empty icon="bell" title="You're all caught up">
            Messages from agents, requests for you, and how your runs ended appear here.
          </Empty>
        </div>
      )}
      <Days notices={notices} read={read} question={question} />
      <LoadMore list={list} />
    </div>
  );
}

interface DaysProps extends Pick<NoticesPageProps, "question"> {
  notices: Notice[];
  read: (notice: Notice) => void;
}

function Days({ notices, read, question }: DaysProps) {
  const now = useServerNow();
  return daysOf(notices, now).map(({ label, notices: ofDay }) => (
    <section key={label} className={classes.day} aria-label={label}>
      <h2>{label}</h2>
      <ol className={`card ${page.list} ${classes.list}`}>
        {ofDay.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onRead={() => read(notice)}>
            {notice.ask_id && question(notice.ask_id, () => read(notice))}
          </NoticeRow>
        ))}
      </ol>
    </section>
  ));
}

function useNotices(unread: boolean) {
  return api.useInfiniteQuery(
    "get",
    "/api/notifications",
    { params: { query: { unread, limit: 30 } } },
    {
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor,
      pageParamName: "cursor",
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
}
