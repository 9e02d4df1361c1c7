//! The steps of a session, one after the other as chance has it.

mod asking;
mod changing;
mod documents;
mod outside;

use crate::session::editor::Editor;
use std::time::Duration;

/// So many documents are open at most.
const MOST_OPEN: usize = 6;

/// So many questions are under way at most.
const MOST_PENDING: usize = 12;

impl Editor {
    /// One step.
    pub fn go(&mut self, initial: &[(String, String)]) {
        self.step += 1;
        match self.random.below(100) {
            0..=5 => self.open_one(),
            6..=30 => self.change_one(),
            31..=34 => self.type_phrase(),
            35..=62 => self.ask_one(),
            63..=66 => self.follow(),
            67..=70 => self.act(),
            71..=74 => self.rename_name(),
            75..=77 => self.format(),
            78..=80 => self.undo(),
            81..=83 => self.save(),
            84..=86 => self.close_one(),
            87..=89 => self.touch_disk(initial),
            90 => self.move_file(),
            91 => self.change_folders(),
            92 => self.change_config(),
            93..=94 => self.cancel_one(),
            95..=97 => self.restore(initial),
            _ => self.scratch(),
        }
        if self.random.chance(40) {
            self.pull();
        }
        if self.random.chance(20) {
            self.tell_disk();
        }
        self.poll_workspace();
        let wait = if self.random.chance(2) { Duration::from_millis(20) } else { Duration::ZERO };
        self.pump(wait);
        if self.pending.len() > MOST_PENDING {
            self.quiet();
        }
    }

    fn some_open(&mut self) -> Option<String> {
        let open: Vec<String> = self.buffers.keys().cloned().collect();
        self.random.some(&open).cloned()
    }

    fn some_file(&mut self) -> Option<String> {
        let files: Vec<String> = self.disk.keys().filter(|uri| uri.ends_with(".dynamo")).cloned().collect();
        self.random.some(&files).cloned()
    }
}
