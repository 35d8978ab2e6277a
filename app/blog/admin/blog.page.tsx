import { FileUpIcon, PlusIcon, FileDownIcon } from 'lucide-react'
import { useState } from 'react'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { StaffOnly } from '#app/users/access-requests/staff-only.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { areas } from '#app/content/areas.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Page } from '#app/ui/page.tsx'
import { openPostForm } from './blog-view.ts'
import { PictureChooserContext, type PictureChooserProps } from './picture-chooser.tsx'
import { PostList } from './post-list.tsx'
import { UnsentDrafts } from './unsent-drafts.tsx'
import type { Route } from './+types/blog.page.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { POST_EXPORT } from '#app/blog/import-export/post-file.ts'

const importCode = laterCode('The import', () => import('#app/blog/import-export/import-dialog.tsx'))
const pickerCode = laterCode('The picture library', () => import('#app/blog/images/picture-picker.tsx'))
const formCode = laterCode('The form', () => import('./open-form.tsx'))

export const handle = { access: 'posts.write', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs } = viewerOf(context)
  return { isTheirs, viewerId: viewer.id }
}

/** A search or an open form does not change the current user. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.blog.name, index: false })

export default function BlogPage({ loaderData: { isTheirs, viewerId } }: Route.ComponentProps) {
  return isTheirs ? <BlogManagement viewerId={viewerId} /> : <StaffOnly area="blog" />
}

/** The list, or the form in its place. The address decides, so bookmarks and the back button work. */
function BlogManagement({ viewerId }: { viewerId: string }) {
  const { params, change } = useView()
  const open = openPostForm(params)
  const [importing, setImporting] = useState(false)
  const endImport = () => setImporting(false)
  const actions = (
    <>
      <Button type="button" look="quiet" onPointerEnter={importCode.warm} onFocus={importCode.warm} onClick={() => setImporting(true)}>
        <FileUpIcon aria-hidden="true" className="size-4" />
        Import
      </Button>
      <ExportLink />
      <Button
        type="button"
        onPointerEnter={formCode.warm}
        onFocus={formCode.warm}
        onClick={() => change({ new: 'post' }, { fromTop: true })}
      >
        <PlusIcon aria-hidden="true" className="size-4" />
        New Post
      </Button>
      {importing && (
        <LaterDialog code={importCode} onClose={endImport}>
          {({ PostImportDialog }) => <PostImportDialog onClose={endImport} />}
        </LaterDialog>
      )}
    </>
  )
  if (open) {
    return (
      <div className="wrap pt-3">
        <h1 className="sr-only">{areas.blog.title}</h1>
        <PictureChooserContext value={choosePicture}>
          <Later code={formCode}>{({ OpenForm }) => <OpenForm open={open} viewerId={viewerId} />}</Later>
        </PictureChooserContext>
      </div>
    )
  }
  return (
    <Page kind="work" title={areas.blog.title} intro={areas.blog.purpose} actions={actions}>
      <div className="grid grid-cols-1 gap-3">
        <UnsentDrafts viewerId={viewerId} />
        <PostList />
      </div>
    </Page>
  )
}

const choosePicture = (props: PictureChooserProps) => (
  <LaterDialog code={pickerCode} onClose={props.onClose}>
    {({ PicturePicker }) => <PicturePicker {...props} />}
  </LaterDialog>
)

function ExportLink() {
  return (
    <a href={POST_EXPORT} download className={buttonLook('quiet')}>
      <FileDownIcon aria-hidden="true" className="size-4" />
      Export
    </a>
  )
}
