/** What a part of the workspace is called that is known before its content is ready. */
export const inPreparation = { title: 'In preparation' }
