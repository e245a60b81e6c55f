const folder = (runId: string): string => `/api/runs/${encodeURIComponent(runId)}/files`;

/** Where files are sent that the run gets. */
export const addUrl = (runId: string): string => folder(runId);

/** The file as it is. */
export const rawUrl = (runId: string, path: string): string => `${folder(runId)}/raw?path=${encodeURIComponent(path)}`;

/** As an attachment with its own name. */
export const downloadUrl = (runId: string, path: string): string => `${rawUrl(runId, path)}&download=true`;

/** The whole folder in one file. */
export const folderZipUrl = (runId: string): string => `${folder(runId)}/download`;
