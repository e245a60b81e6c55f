import "./ui/mantine.css";
import "./ui/app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/client";
import { router } from "./routes/router";
import { registerWorker } from "./serviceWorker";
import { lostField } from "./ui/overlay/lostField";
import { theme } from "./ui/theme";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

lostField.follow(document);

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

registerWorker((path) => router.navigate({ to: path }));
