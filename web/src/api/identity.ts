/** Where the tabs of this browser tell each other who is signed in, and where. */
export const IDENTITY = "signoff.user";

interface Me {
  user: { id: string };
  workspace: { id: string };
}

/** One person in one workspace: what they wrote or decided there is nobody else's, and nowhere else's. */
export const identityOf = ({ user, workspace }: Me): string => `${user.id}@${workspace.id}`;

/** What this tab keeps for whoever is signed in. */
export const placeOf = (name: string): string => `${name}.${localStorage.getItem(IDENTITY)}`;

/** Another tab signed somebody else in, signed out, or went to another workspace: nothing here is theirs. */
export function followIdentity(identity: string): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === IDENTITY && newValue !== identity) location.reload();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
