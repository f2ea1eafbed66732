// The editor of a row: its JSON text as the server wrote it, kept while it is not saved.
import { byId } from "/make.js";

export class Editor {
  constructor(save) {
    this.dialog = byId("editor");
    this.field = byId("row");
    this.save = save;
    this.item = null;
    byId("editor-save").addEventListener("click", () => this.submit());
    byId("editor-cancel").addEventListener("click", () => this.dialog.close());
    byId("editor-reset").addEventListener("click", () => this.fill(this.item.row));
    this.field.addEventListener("input", () => sessionStorage.setItem(this.key(), this.field.value));
    this.dialog.addEventListener("keydown", event => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit();
    });
  }

  key() {
    return `edit ${this.item.id}`;
  }

  get visible() {
    return this.dialog.open;
  }

  open(item) {
    if (!item) return;
    this.item = item;
    this.fill(sessionStorage.getItem(this.key()) ?? item.row);
    this.dialog.showModal();
    this.field.setSelectionRange(0, 0);
    this.field.scrollTop = 0;
    this.field.focus();
  }

  fill(text) {
    this.field.value = text;
    this.complain("");
    if (text === this.item.row) sessionStorage.removeItem(this.key());
  }

  complain(message) {
    byId("editor-error").textContent = message;
    byId("editor-error").hidden = !message;
  }

  async submit() {
    const key = this.key();
    if (await this.save(this.field.value)) {
      sessionStorage.removeItem(key);
      this.dialog.close();
    }
  }
}
