import { FileUp, Plus } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { allowPage } from '#app/access.server.ts'
import { areaPermissions } from '#app/users/access-requests/area.server.ts'
import { StaffOnly } from '#app/users/access-requests/staff-only.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ExportLink } from '#app/blog/import-export/export-link.tsx'
import { PostImportDialog } from '#app/blog/import-export/import-dialog.tsx'
import { areas } from '#app/content/areas.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { PicturePicker } from '#app/blog/images/picture-picker.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Post, publishedPost } from '#app/blog/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { draftState, type PostDraft } from '#app/blog/posts/draft.ts'
import { openPostForm } from './blog-view.ts'
import { PictureChooserContext, type PictureChooserProps } from './picture-chooser.tsx'
import { PostForm } from './post-form.tsx'
import { Resume } from './resume.tsx'
import { PostList } from './post-list.tsx'
import type { Route } from './+types/blog.page.ts'
import { draftUrl, postUrl } from './post-url.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer: currentUser, isTheirs } = await allowPage(requestContextOf(context), areaPermissions.blog)
  return { isTheirs, viewerId: currentUser.id }
}

/** A search or an open form does not change the current user. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.blog.title, index: false })

export default function BlogPage({ loaderData: { isTheirs, viewerId: currentUserId } }: Route.ComponentProps) {
  return isTheirs ? <BlogManagement viewerId={currentUserId} /> : <StaffOnly area="blog" />
}

/** The list, or the form in its place. The address decides, so bookmarks and the back button work. */
function BlogManagement({ viewerId: currentUserId }: { viewerId: string }) {
  const { params, change } = useView()
  const open = openPostForm(params)
  const [importing, setImporting] = useState(false)
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={() => setImporting(true)}>
        <FileUp aria-hidden="true" className="size-4" />
        Import
      </Button>
      <ExportLink />
      <Button type="button" onClick={() => change({ new: 'post' })}>
        <Plus aria-hidden="true" className="size-4" />
        New Post
      </Button>
      {importing && <PostImportDialog onClose={() => setImporting(false)} />}
    </>
  )
  return (
    <Page kind="work" title={areas.blog.title} {...(!open && { intro: areas.blog.purpose, actions })}>
      {open ? (
        <PictureChooserContext value={choosePicture}>
          <OpenForm open={open} viewerId={currentUserId} />
        </PictureChooserContext>
      ) : (
        <PostList />
      )}
    </Page>
  )
}

const choosePicture = (props: PictureChooserProps) => <PicturePicker {...props} />

function OpenForm({ open, viewerId: currentUserId }: { open: { id: string } | 'new'; viewerId: string }) {
  const { change } = useView()
  const close = () => change({ edit: undefined, new: undefined })
  if (!useAwake()) return <Loading>Opening the form...</Loading>
  const form = { viewerId: currentUserId, close }
  if (open === 'new') {
    return (
      <Resume key="new" viewerId={currentUserId} draft={null}>
        {(given) => <PostForm {...form} {...given} />}
      </Resume>
    )
  }
  return (
    <ReadPost key={open.id} id={open.id}>
      {(post, draft) => (
        <Resume post={post} draft={draft} viewerId={currentUserId}>
          {(given) => <PostForm post={post} {...form} {...given} />}
        </Resume>
      )}
    </ReadPost>
  )
}

const never = () => () => undefined

/** The form depends on the browser's clock and on its stored copies, which the server does not have. */
function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

type ReadPostProps = { id: string; children: (post: Post, draft: PostDraft | null) => React.ReactNode }

/** Loads a post and its draft, then renders `children` with both. */
function ReadPost({ id, children }: ReadPostProps) {
  // No cached version: the form must start from the current one.
  const post = useQuery({ ...apiQuery(postUrl(id), publishedPost), gcTime: 0 })
  const state = useQuery({ ...apiQuery(draftUrl(id), draftState), gcTime: 0 })
  if (post.isError) return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  if (state.isError) return <Failed title="Failed to fetch blog post" error={state.error} retry={state.refetch} />
  if (post.isPending || state.isPending) {
    return (
      <div>
        <Loading>Loading post...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  return children(post.data, state.data.draft)
}
