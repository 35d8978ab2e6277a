import { href } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { Progress } from '#app/ui/progress.tsx'
import { IssueAction, IssueState, SendDialog } from './issue-action.tsx'
import { NEWSLETTER_POSTS, type NewsletterPost, newsletterPosts } from './newsletter.ts'

/** Milliseconds between two looks at emails that are on their way. */
const POLL_MS = 2000

const look: ListLook<NewsletterPost> = {
  name: 'issues',
  caption: 'Posts and their emails',
  one: 'post',
  many: 'posts',
  loading: 'Loading posts...',
  empty: { title: 'No published posts yet', text: 'Once a post is published, you can send it to your subscribers from here.' },
  nameOf: ({ title }) => title,
  columns: [
    { key: 'post', head: 'Post', view: ({ title }) => <span title={title}>{title}</span> },
    {
      key: 'published',
      head: 'Published',
      width: '8rem',
      from: 'large',
      kind: 'data',
      view: ({ publishedAt }) => <time dateTime={publishedAt}>{formatDay(publishedAt)}</time>,
    },
    { key: 'email', head: 'Email', width: '22rem', from: 'medium', view: ({ issue }) => <IssueState issue={issue} /> },
    { key: 'action', head: 'Action', width: '8rem', view: (post) => <IssueAction post={post} /> },
  ],
  renderNarrow: ({ issue }) => <IssueState issue={issue} />,
}

/** Public posts, newest first, each with its email to subscribers. The address names the post whose dialog is open. */
export function IssueList() {
  const { params, change } = useView()
  const list = usePageQuery({
    ...apiQuery(NEWSLETTER_POSTS, newsletterPosts),
    refetchInterval: ({ state }) => (state.data?.posts.some(({ issue }) => issue && issue.waiting > 0) ? POLL_MS : false),
  })
  const { posts = [], recipients = 0, canSend = true } = list.data ?? {}
  const chosen = posts.find(({ id, issue }) => id === params.get('send') && !issue)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.posts}
      opens={({ slug }) => ({ to: href('/blog/:slug', { slug }) })}
      above={
        <>
          {!canSend && posts.length > 0 && <NoMailServer />}
          <Running posts={posts} />
        </>
      }
    >
      {chosen && <SendDialog post={chosen} recipients={recipients} close={() => change({ send: undefined })} />}
    </ListPage>
  )
}

function NoMailServer() {
  return (
    <p className="rounded-card border border-l-4 border-line border-l-alarm bg-surface px-5 py-3.5 text-small">
      No mail server is set up, so no email is sent yet. Set <code>SMTP_URL</code>, then restart.
    </p>
  )
}

/** The progress of each post that is being sent. */
function Running({ posts }: { posts: readonly NewsletterPost[] }) {
  return posts.map(({ id, title, issue }) => {
    if (!issue || issue.waiting === 0) return null
    const done = issue.recipients - issue.waiting
    return (
      <section key={id} aria-label={`Sending ${title}`} className="grid gap-2 rounded-card border border-line bg-surface p-4">
        <p className="text-small font-medium wrap-anywhere">Sending “{title}”</p>
        <Progress label={`Sending ${title}`} value={done} max={issue.recipients}>
          <span>
            {numberText(done)} of {numberText(issue.recipients)}
          </span>
        </Progress>
      </section>
    )
  })
}
