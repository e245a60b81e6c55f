import type { ReactNode } from "react";

/** Whether mail can reach an address: who is called somebody@localhost has a name here, and no mailbox. */
export const getsMail = (email: string): boolean => !email.toLowerCase().endsWith("@localhost");

/** Why mail never comes to this person. */
export function NoMail({ email, children }: { email: string; children?: ReactNode }) {
  if (getsMail(email)) return null;
  return (
    <div role="note" className="small">
      <strong>You get no mail.</strong> You are {email}: a name from the first start, where no mail arrives. {children}
    </div>
  );
}

/** How to become somebody whom mail reaches, without being two people. */
export function HowToGetMail({ email, admin }: { email: string; admin: boolean }) {
  if (!admin) return "Ask an admin to invite you under your real address, and to remove this one.";
  return (
    <>
      Rules and records know you by it, so it stays as it is. To get mail:
      <ol>
        <li>Under Members, invite your real address as an admin, and accept in another browser.</li>
        <li>If you are an installation admin, make the new member one, too.</li>
        <li>
          Sign in as the new member and remove {email}: one person should decide under one name. The command line on the
          server then needs a new token, from API tokens.
        </li>
      </ol>
    </>
  );
}
