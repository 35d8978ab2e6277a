import { POSTS } from '#app/blog/posts/post.ts'

export const postUrl = (id: string) => `${POSTS}/${encodeURIComponent(id)}`
export const draftUrl = (id: string) => `${postUrl(id)}/draft`
