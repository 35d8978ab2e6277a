import { createContext, use } from 'react'

type Chosen = { url: string; alt: string }
export type PictureChooserProps = { onPick: (picture: Chosen) => void; onClose: () => void; file?: File | undefined }

/** How a picture is chosen, given by the page that the editor stands on. */
export const PictureChooserContext = createContext<React.ComponentType<PictureChooserProps> | undefined>(undefined)

/** Nothing where the page has no pictures to choose from. */
export function PictureChooser(props: PictureChooserProps) {
  const Chooser = use(PictureChooserContext)
  return Chooser ? <Chooser {...props} /> : null
}
