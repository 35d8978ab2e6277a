import { FileUp, Plus } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { allowPage } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { useView } from '#app/admin-view/use-view.tsx'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { ExportLink } from '#app/post-files/export-link.tsx'
import { ImportDialog } from '#app/post-files/import-dialog.tsx'
import { areas } from '#app/site/content/areas.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { openForm } from './blog-view.ts'
import { PicturePicker } from '#app/images/picture-picker.tsx'
import { PictureChooserContext, type PictureChooserProps } from '#app/post-editor/picture-chooser.tsx'
import { PostForm } from '#app/post-form/post-form.tsx'
import { Resume } from '#app/post-form/resume.tsx'
import { PostList } from './post-list.tsx'
import { ReadPost } from './read-post.tsx'
import type { Route } from './+types/blog.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs } = await allowPage(visitOf(context), areaPermissions.blog)
  return { isTheirs, viewerId: viewer.id }
}

/** Another search, or the form, changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.blog.title, index: false })

export default function BlogPage({ loaderData: { isTheirs, viewerId } }: Route.ComponentProps) {
  return isTheirs ? <BlogManagement viewerId={viewerId} /> : <StaffOnly area="blog" />
}

/** Closed, the list; open, the form in its place. The address says which, so that either can be kept and left with the back button. */
function BlogManagement({ viewerId }: { viewerId: string }) {
  const { params, change } = useView()
  const open = openForm(params)
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
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
  return (
    <Page kind="work" title={areas.blog.title} {...(!open && { intro: areas.blog.purpose, actions })}>
      {open ? (
        <PictureChooserContext value={choosePicture}>
          <OpenForm open={open} viewerId={viewerId} />
        </PictureChooserContext>
      ) : (
        <PostList />
      )}
    </Page>
  )
}

const choosePicture = (props: PictureChooserProps) => <PicturePicker {...props} />

function OpenForm({ open, viewerId }: { open: { id: string } | 'new'; viewerId: string }) {
  const { change } = useView()
  const close = () => change({ edit: undefined, new: undefined })
  if (!useAwake()) return <Loading>Opening the form...</Loading>
  const form = { viewerId, close }
  if (open === 'new') {
    return (
      <Resume key="new" viewerId={viewerId} draft={null}>
        {(given) => <PostForm {...form} {...given} />}
      </Resume>
    )
  }
  return (
    <ReadPost key={open.id} id={open.id}>
      {(post, draft) => (
        <Resume post={post} draft={draft} viewerId={viewerId}>
          {(given) => <PostForm post={post} {...form} {...given} />}
        </Resume>
      )}
    </ReadPost>
  )
}

const never = () => () => undefined

/** The form knows the clock of its writer and what was left in this browser: the server knows neither. */
function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
