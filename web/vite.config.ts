import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [react()],
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs comes in two files, not in thirty.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|@tanstack|openapi-)/ },
            { name: "shared", test: /node_modules\/@mantine|\/src\/(ui|api)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": api, "/openapi.json": api } },
});
