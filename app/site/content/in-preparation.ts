type Announcement = { readonly title: string; readonly text: string }

/** Pages whose address is known before their content is ready. */
export const announcements: Readonly<Record<string, Announcement>> = {
  '/blog': {
    title: 'Blog',
    text: 'Nothing is published here yet. It will be notes from practice: difficult sites, checked data, and staying within the law.',
  },
}

/** What such a page is called, and what it says when it has no words of its own. */
export const inPreparation: Announcement = { title: 'In preparation', text: 'This page is being prepared.' }
