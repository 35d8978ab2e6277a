/** Whether the source runs as it is, with changes shown as they are saved: neither in production nor in tests. */
export const isDevelopment = import.meta.env.MODE === 'development'
