//! `initialize`: what the client can do, and where it works.

use crate::server::capabilities::{ClientFlags, of_server};
use crate::server::methods;
use crate::server::state::State;
use crate::vfs;
use tower_lsp::ls_types::{InitializeParams, InitializeResult, ServerInfo};

pub fn handle(state: &State, params: InitializeParams) -> InitializeResult {
    let flags = ClientFlags::new(&params.capabilities, params.client_info.as_ref());
    let capabilities = of_server(&flags);
    state.set_refused(methods::refused(&capabilities, &flags));
    state.set_flags(flags);
    state.trace.set(params.trace.unwrap_or_default());
    if let Some(client) = &params.client_info {
        let version = client.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        state.set_client(format!("{}{version}", client.name));
    }
    if let Some(options) = &params.initialization_options {
        state.set_initial_settings(options);
    }
    if let Some(process) = params.process_id {
        state.watch_client(process);
    }
    state.change_folders(|folders| {
        // An empty list says that there is no folder; only clients that know
        // nothing of folders are asked for their root.
        #[allow(deprecated)]
        match (&params.workspace_folders, &params.root_uri) {
            (Some(given), _) => folders.extend(given.iter().map(|folder| vfs::key_of_uri(folder.uri.as_str()))),
            (None, Some(root)) => folders.push(vfs::key_of_uri(root.as_str())),
            (None, None) => {}
        }
    });
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        offset_encoding: None,
    }
}
