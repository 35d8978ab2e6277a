/** No person fills in a form in less. A form of ours waits for the rest of it before it sends; a machine that does not is doubtful. */
export const LEAST_FILL_MS = 2_000
