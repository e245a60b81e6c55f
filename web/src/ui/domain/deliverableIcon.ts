import type { Deliverable } from "@/api/types";
import type { IconName } from "../icons";
import { type Shape, shapeOf } from "../preview/fileShape";

const ICONS: Partial<Record<Shape, IconName>> = {
  csv: "table-2",
  json: "code",
  code: "code",
  patch: "code",
  html: "code",
  image: "image",
  external: "external-link",
};

export const iconOf = (deliverable: Deliverable): IconName => ICONS[shapeOf(deliverable)] ?? "file-text";
