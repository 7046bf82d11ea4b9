import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';

/** Copies a string whole, however it is cut on the screen. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setCopied(true));
  return <IconButton icon={isCopied ? 'check' : 'copy'} label={isCopied ? 'Copied' : label} onClick={copy} />;
}
