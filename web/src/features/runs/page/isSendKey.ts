interface Press {
  key: string;
  shiftKey: boolean;
  nativeEvent: { isComposing: boolean };
}

/** Enter sends; not for a new line, and not while a word is still being composed (Japanese, Chinese, Korean). */
export const isSendKey = ({ key, shiftKey, nativeEvent }: Press): boolean =>
  key === "Enter" && !shiftKey && !nativeEvent.isComposing;
