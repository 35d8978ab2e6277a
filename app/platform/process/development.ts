/** Whether the development server runs the source: neither production nor tests. */
export const isDevelopment = import.meta.env.MODE === 'development'
