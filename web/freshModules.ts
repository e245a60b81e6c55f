import { vi } from "vitest";

// Modules that the test file before took with something in them replaced.
vi.resetModules();
