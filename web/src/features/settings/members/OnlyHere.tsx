/** Whether a link leads to the computer that it is opened on. */
export const isOnlyHere = (url: string): boolean =>
  URL.canParse(url) && /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(new URL(url).hostname);

interface OnlyHereProps {
  url: string;
  what?: string;
  then?: string;
}

/** Says of a link that nobody can open it elsewhere, and what to set. */
export function OnlyHere({
  url,
  what = "This link opens only on this computer.",
  then = "Then create a new link.",
}: OnlyHereProps) {
  if (!isOnlyHere(url)) return null;
  return (
    <p role="note" className="small">
      <strong>{what}</strong> For people elsewhere, start Signoff with <code>SIGNOFF_PUBLIC_URL</code> set to the
      address they reach it by, and with <code>SIGNOFF_HOST=0.0.0.0</code> unless a proxy leads there. {then}
    </p>
  );
}
