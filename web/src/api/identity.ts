/** Where the tabs of this browser tell each other who is signed in. */
export const IDENTITY = "signoff.user";

/** Somebody else signed in, or this person signed out, in another tab: nothing here is theirs. */
export function followIdentity(user: string): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === IDENTITY && newValue !== user) location.reload();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
