import { Button } from "@mantine/core";

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The way to a list's next page, where there is one. */
export function LoadMore({ list }: LoadMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      mt="sm"
      variant="subtle"
      color="gray"
      fullWidth
      loading={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      Load more
    </Button>
  );
}
