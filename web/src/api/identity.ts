/** Where the tabs of this browser tell each other who is signed in. */
export const IDENTITY = "signoff.user";
