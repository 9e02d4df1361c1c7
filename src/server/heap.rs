//! The heap of a process that lives for days.

pub use glibc::{give_back, share};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    /// So many heaps. Who computes allocates from what its thread has kept from
    /// before, and seldom waits for another.
    const HEAPS: i32 = 1;

    /// `M_ARENA_MAX` of glibc's `malloc.h`.
    const M_ARENA_MAX: i32 = -8;

    #[expect(
        unsafe_code,
        reason = "glibc's settings have no other way in; they take numbers, and touch no memory of ours"
    )]
    mod c {
        unsafe extern "C" {
            pub safe fn mallopt(parameter: i32, value: i32) -> i32;
            pub safe fn malloc_trim(pad: usize) -> i32;
        }
    }

    /// One heap for all threads. glibc gives each thread that allocates a heap of its
    /// own, up to eight a core; what one has freed another cannot use, and a session
    /// would hold more with every thread that has had its turn.
    pub fn share() {
        // Where it is refused nothing is lost but memory.
        let _ = c::mallopt(M_ARENA_MAX, HEAPS);
    }

    /// Gives what is free to the system. glibc itself does so at the end of a heap
    /// only, and one small thing that lasts keeps all that was freed below it.
    pub fn give_back() {
        let _ = c::malloc_trim(0);
    }
}

/// Other allocators share, and give back, by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod glibc {
    pub fn share() {}

    pub fn give_back() {}
}
