// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Orders} from "./ERC721Orders.sol";
import {IBoxofficeTickets} from "./IBoxofficeTickets.sol";

/// @title Event tickets, one token each
/// @notice {ERC721Orders} says what a ticket is; this contract says who may do what. Minters mint and take back
/// refunded tickets. Admins (`DEFAULT_ADMIN_ROLE`) appoint and dismiss both, and set what the two setters set.
contract BoxofficeTickets is ERC721Orders, AccessControl {
    /// @notice The role that may mint orders and burn refunded tickets.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    /// @dev ERC-4906 has events only, so its id is fixed by its text and not by its functions.
    bytes4 private constant ERC4906_INTERFACE_ID = 0x49064906;

    /// @notice Whether holders may transfer their tickets. Minting and burning are always possible.
    bool public transfersAllowed;

    string private _baseTokenURI;

    /// @notice A holder, or someone the holder approved, tried to transfer while transfers are refused.
    error TransfersRefused();

    /// @notice Transfers are allowed or refused from now on.
    event TransfersAllowedChanged(bool allowed);

    /// @param name_ The collection's name.
    /// @param symbol_ The collection's symbol.
    /// @param baseTokenURI What stands before the id in every token's URI; empty for no URIs.
    /// @param transfersAllowed_ Whether holders may transfer their tickets, until an admin says otherwise.
    /// @param admin The first admin.
    /// @param minters The first minters; may be empty.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseTokenURI,
        bool transfersAllowed_,
        address admin,
        address[] memory minters
    ) ERC721(name_, symbol_) {
        _baseTokenURI = baseTokenURI;
        transfersAllowed = transfersAllowed_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 index = 0; index < minters.length; ++index) {
            _grantRole(MINTER_ROLE, minters[index]);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrder(bytes32 orderKey, address to, uint256 quantity) external onlyRole(MINTER_ROLE) {
        _mintOrder(orderKey, to, quantity);
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrders(Order[] calldata orders) external onlyRole(MINTER_ROLE) {
        for (uint256 index = 0; index < orders.length; ++index) {
            _mintOrder(orders[index].orderKey, orders[index].to, orders[index].quantity);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function burn(address holder, uint256[] calldata tokenIds) external {
        if (!hasRole(MINTER_ROLE, msg.sender)) _checkRole(DEFAULT_ADMIN_ROLE);
        if (holder == address(0)) revert ERC721InvalidOwner(address(0));

        for (uint256 index = 0; index < tokenIds.length; ++index) {
            if (_ownerOf(tokenIds[index]) == holder) _burn(tokenIds[index]);
        }
    }

    /// @notice Allows or refuses transfers of all tickets, minted and to come. Only for admins.
    function setTransfersAllowed(bool allowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        transfersAllowed = allowed;
        emit TransfersAllowedChanged(allowed);
    }

    /// @notice Changes what stands before the id in every token's URI. Only for admins.
    /// Emits the ERC-4906 event which tells marketplaces and wallets to read all metadata again.
    function setBaseTokenURI(string calldata baseTokenURI) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _baseTokenURI = baseTokenURI;
        emit IERC4906.BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, AccessControl) returns (bool) {
        return
            interfaceId == type(IBoxofficeTickets).interfaceId ||
            interfaceId == ERC4906_INTERFACE_ID ||
            super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return _baseTokenURI;
    }

    /// @dev Refuses transfers between holders while they are not allowed.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address) {
        if (to != address(0) && !transfersAllowed) revert TransfersRefused();
        return super._update(to, tokenId, auth);
    }
}
