/**
 * Keeps translated pages up to date. A browser that translates a page replaces each text node by a <font> element with
 * the translation, while Preact goes on writing to its own node. This puts Preact's node back, empty, beside the
 * translation. When Preact then changes or removes the node, the translation is removed.
 */
export function keepTranslatedPagesCurrent(root: Node = document.body): void {
  const translations = new Map<Text, Element>();
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') removeTranslation(record.target as Text);
      else for (const node of record.removedNodes) if (node instanceof Text) update(node, record, records);
    }
    // What this function changed itself.
    observer.takeRecords();
  });
  const removeTranslation = (text: Text) => {
    if (!text.data && text.isConnected) return;
    translations.get(text)?.remove();
    translations.delete(text);
  };
  const update = (text: Text, { target }: MutationRecord, records: MutationRecord[]) => {
    if (translations.has(text)) return text.isConnected ? undefined : removeTranslation(text);
    const added = records
      .filter((record) => record.target === target)
      .flatMap((record) => [...record.addedNodes]);
    const translation = added.find(
      (node): node is Element =>
        node.nodeName === 'FONT' &&
        node.parentNode === target &&
        ![...translations.values()].includes(node as Element),
    );
    if (!translation || text.isConnected) return;
    text.data = '';
    translation.before(text);
    translations.set(text, translation);
  };
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}
