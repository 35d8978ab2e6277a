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
import { areas } from '#app/content/areas.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Post, publishedPost } from '#app/blog/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { draftState, NEVER_SAVED, type PostDraft } from '#app/blog/posts/draft.ts'
import { openPostForm } from './blog-view.ts'
import { newPostId } from './draft-requests.ts'
import { findLocally, localCopyKey } from './local-copy.ts'
import { PictureChooserContext, type PictureChooserProps } from './picture-chooser.tsx'
import { unsavedPost } from './post-fields.ts'
import { PostList } from './post-list.tsx'
import { UnsentDrafts } from './unsent-drafts.tsx'
import type { Route } from './+types/blog.page.ts'
import { draftUrl, postUrl } from './post-url.ts'

const importCode = laterCode('The import', () => import('#app/blog/import-export/import-dialog.tsx'))
const pickerCode = laterCode('The picture library', () => import('#app/blog/images/picture-picker.tsx'))
const formCode = laterCode('The form', async () => {
  const [{ PostForm }, { Resume }] = await Promise.all([import('./post-form.tsx'), import('./resume.tsx')])
  return { PostForm, Resume }
})

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
  const endImport = () => setImporting(false)
  const actions = (
    <>
      <Button type="button" look="quiet" onPointerEnter={importCode.warm} onFocus={importCode.warm} onClick={() => setImporting(true)}>
        <FileUp aria-hidden="true" className="size-4" />
        Import
      </Button>
      <ExportLink />
      <Button type="button" onPointerEnter={formCode.warm} onFocus={formCode.warm} onClick={() => change({ new: 'post' })}>
        <Plus aria-hidden="true" className="size-4" />
        New Post
      </Button>
      {importing && (
        <LaterDialog code={importCode} onClose={endImport}>
          {({ PostImportDialog }) => <PostImportDialog onClose={endImport} />}
        </LaterDialog>
      )}
    </>
  )
  return (
    <Page kind="work" title={areas.blog.title} {...(!open && { intro: areas.blog.purpose, actions })}>
      {open ? (
        <PictureChooserContext value={choosePicture}>
          <Later code={formCode}>{(form) => <OpenForm {...form} open={open} viewerId={currentUserId} />}</Later>
        </PictureChooserContext>
      ) : (
        <div className="grid grid-cols-1 gap-3">
          <UnsentDrafts viewerId={currentUserId} />
          <PostList />
        </div>
      )}
    </Page>
  )
}

const choosePicture = (props: PictureChooserProps) => (
  <LaterDialog code={pickerCode} onClose={props.onClose}>
    {({ PicturePicker }) => <PicturePicker {...props} />}
  </LaterDialog>
)

type FormCode = NonNullable<ReturnType<typeof formCode.read>>

function OpenForm({ open, viewerId: currentUserId, PostForm, Resume }: FormCode & { open: { id: string } | 'new'; viewerId: string }) {
  const { change } = useView()
  const [newId] = useState(newPostId)
  const close = () => change({ edit: undefined, new: undefined })
  if (!useAwake()) return <Loading>Opening the form...</Loading>
  const form = { viewerId: currentUserId, close }
  const id = open === 'new' ? newId : open.id
  if (id === newId) {
    // The address names the post from its first words on, so that a reload and a copy of the window continue the same one.
    const onBegun = () => change({ new: undefined, edit: newId }, { replace: true })
    return (
      <Resume key={newId} post={unsavedPost(newId)} draft={null} viewerId={currentUserId}>
        {(given) => <PostForm post={unsavedPost(newId)} onBegun={onBegun} {...form} {...given} />}
      </Resume>
    )
  }
  return (
    <ReadPost key={id} id={id} viewerId={currentUserId}>
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

type ReadPostProps = { id: string; viewerId: string; children: (post: Post, draft: PostDraft | null) => React.ReactNode }

/** Loads a post and its draft, then renders `children` with both. */
function ReadPost({ id, viewerId: currentUserId, children }: ReadPostProps) {
  // No cached version: the form must start from the current one.
  const post = useQuery({ ...apiQuery(postUrl(id), publishedPost), gcTime: 0 })
  const state = useQuery({ ...apiQuery(draftUrl(id), draftState), gcTime: 0 })
  if (post.isError) {
    // A post that was begun offline is in this browser alone.
    if (findLocally(localCopyKey(currentUserId, id))?.baseVersion === NEVER_SAVED) return children(unsavedPost(id), null)
    return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  }
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
